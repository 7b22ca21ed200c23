export { dispatch } from '../sending/dispatch';
