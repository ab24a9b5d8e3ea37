/**
 * What pages without scripts and emails say, in the languages of the app. English is the text in the
 * source; catalogs have the others. Tables: none.
 */

export { message } from './message.ts';
export { translate } from './translate.ts';
export { translateSaid } from './translate-said.ts';
