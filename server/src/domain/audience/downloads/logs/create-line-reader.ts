import { canonicalAddress } from '../../../../lib/canonical-address.ts';
import { readCloudFrontFields, standardFields } from './cloudfront-line.ts';
import { explainJsonLine, readJsonLine } from './json-line.ts';
import type { ReadLine } from './log-line.ts';
import { readCombinedLine, readS3Line } from './plain-text-lines.ts';

const maxFields = 100;

/** Reads the lines of one file, in any of the formats. */
export type LineReader = (line: string) => ReadLine;

/**
 * Detects the format of each line by itself. Only CloudFront's lines need earlier ones: a comment
 * with the names of their fields. Lines have one character for each byte (latin1).
 */
export function createLineReader(): LineReader {
  let fieldNames = standardFields;
  return (line) => {
    if (isBlankOrComment(line)) {
      const [, names] = /^#Fields:\s?(.*)$/.exec(line) ?? [];
      if (names !== undefined) fieldNames = names.trim().split(/\s/).slice(0, maxFields);
      return 'other';
    }
    if (line.startsWith('{')) return readJsonLine(line);
    if (line.includes('\t')) return readCloudFrontLine(line, fieldNames);
    return isS3Line(line) ? readS3Line(line) : readCombinedLine(line);
  };
}

export const noKnownFormat = 'has no known format';

/** Of an unreadable line: `has no time`. Says nothing of its content, which has an address. */
export function explainUnreadable(line: string): string {
  return line.startsWith('{') ? explainJsonLine(line) : noKnownFormat;
}

/** A line that any text file may contain. */
export function isBlankOrComment(line: string): boolean {
  return line.startsWith('#') || line.trim() === '';
}

/**
 * The bucket's owner and its name. Lines of other formats begin with an address, but clients choose
 * the rest.
 */
function isS3Line(line: string): boolean {
  const [, owner = ''] = /^(\S+) [a-z\d][a-z\d._-]+ \[/i.exec(line) ?? [];
  return owner !== '' && canonicalAddress(owner) === undefined;
}

function readCloudFrontLine(line: string, names: readonly string[]): ReadLine {
  const values = line.split('\t', maxFields);
  const fields = new Map(names.map((name, index) => [name, values[index]]));
  return readCloudFrontFields((name) => fields.get(name));
}
