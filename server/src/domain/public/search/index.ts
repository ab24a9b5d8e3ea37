/**
 * The search of a show's page: the words of episodes, which background work writes, and what they find.
 * Tables: search_texts, search_queue, which triggers fill. docs/decisions/0063.
 */

export { queueAllEpisodes } from './index-episodes.sql.ts';
export { indexEpisodes } from './index-episodes.ts';
export { maxSearchChars, parseSearch, type Search } from './parse-search.ts';
export type { MarkedText } from './quote.ts';
export { mostHits, type Quote, type SearchHit, searchEpisodes } from './search-episodes.ts';
export { startIndexing } from './start-indexing.ts';
