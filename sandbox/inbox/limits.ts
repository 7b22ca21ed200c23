/** How many arrivals a page receives and keeps. */
export const maxRows = 3000;

/** Characters of one arrival that a search looks through. */
export const maxSearched = 2000;
