/** How many arrivals a page receives and keeps. */
export const mostRows = 10_000;

/** Characters of one arrival that a search looks through. */
export const mostSearched = 2000;
