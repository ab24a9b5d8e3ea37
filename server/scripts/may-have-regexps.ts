/**
 * Finds where a regular expression may begin. Most sources have none, and parsing them would take most
 * of the time of `npm run lint:regexps`.
 */
const beginning =
  /RegExp|(?:^|[(,=:[!&|?{;+\-%~^>]|\*\/|\.{3}|\b(?:return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield))\s*\/(?![/*>])/m;

/** False only for a source without regular expressions. */
export function mayHaveRegexps(source: string): boolean {
  return beginning.test(source);
}
