/** How our feeds name the program that wrote them. */
export const feedGenerator = 'Podstead';
