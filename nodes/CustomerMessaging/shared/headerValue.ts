/** What a header can carry: visible ASCII. Node.js takes 16 kB for all headers of a message. */
export const headerValue = /^[\x21-\x7e]{1,8000}$/;
