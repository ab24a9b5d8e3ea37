/** The consumer's name in change_consumers and publication_clocks. */
export const consumer = 'webhooks';
