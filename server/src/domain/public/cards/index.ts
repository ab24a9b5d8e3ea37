/** Pictures of shows, episodes and quotes, for links to them on other sites. No table. */
export { type Card, type CardColors, cardPx } from './card.ts';
export { versionedCardUrl } from './card-url.ts';
export { renderCard } from './render-card.ts';
