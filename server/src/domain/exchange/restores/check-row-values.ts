import { isJsonDeeperThan } from '../../../lib/json-depth.ts';
import { maxChars } from '../../../lib/limits.ts';
import { tryParseJson } from '../../../lib/parse-json.ts';
import { isWebUrl } from '../../../lib/web-url.ts';
import { maxChapters, maxSegmentLength } from '../../publishing/transcripts/index.ts';
import { type ExportedTable, rowsPath, ruleOf } from '../exports/index.ts';
import { damaged, type ExportedRow } from './show-export.ts';

/** PostgreSQL's name of the type of each column. */
export type ColumnTypes = ReadonlyMap<string, string>;

/** Revisions and the like are counted further; times of transcripts are not. */
const mostInteger = 2 ** 30;
const mostMs = 2 ** 31 - 1;
const longestNameChars = 4_096;
const longestTextChars = 10_000;
/** An import takes 4,096. */
const longestAddressChars = 10_000;
/** Texts of other lengths. What people enter has its own limits, which are checked when the show is read. */
const longestOf: Readonly<Record<string, number>> = {
  description: 1_000_000,
  show_notes: 1_000_000,
  show_notes_html: 1_000_000,
  page_text: 1_000_000,
  bio: 1_000_000,
  body: maxSegmentLength,
  source_key: 100_000,
  source_enclosure_url: 100_000,
  // It is part of an index, whose rows are short.
  value: 500,
};
const longestJsonChars = 4_000_000;
const deepestJson = 40;
/** Of an episode, a day and one app or country. */
const mostOfDay = 1_000_000_000;

/**
 * Throws for a value that the columns of the tables would take, but that the service never writes and cannot
 * read: numbers beyond those of JavaScript, times like `infinity`, JSON of another shape, addresses of another
 * scheme, and values that no export has.
 */
export function checkRowValues(
  { name, columns }: ExportedTable,
  types: ColumnTypes,
  row: ExportedRow,
): void {
  const { instead = {} } = ruleOf(name);
  for (const [at, column] of columns.entries()) {
    const value = row[at] ?? null;
    if (value === null) continue;
    const isLeftOut = instead[column]?.startsWith('null::') === true;
    if (isLeftOut || !isReadable(column, types.get(column) ?? '', value))
      throw damaged(`${rowsPath(name)} has a value in ${column} that no installation writes`);
  }
}

function isReadable(column: string, type: string, value: string): boolean {
  if (column === 'source_url') return isAddress(value);
  // What a feed said of an item is only compared with other feeds.
  if (/(?:^|_)url$/.test(column) && column !== 'source_enclosure_url') return isWebUrl(value);
  switch (type) {
    case 'integer':
    case 'smallint':
      return (
        /^[0-9]{1,10}$/.test(value) &&
        Number(value) <= (column.endsWith('_ms') ? mostMs : mostInteger)
      );
    case 'bigint':
      return /^[0-9]{1,16}$/.test(value) && Number.isSafeInteger(Number(value));
    case 'date':
      return isDay(value) && (column !== 'month' || value.endsWith('-01'));
    case 'timestamp with time zone':
      return isTime(value);
    case 'jsonb':
      return value.length <= longestJsonChars && isReadableJson(column, value);
    case 'text[]':
      return value.length <= longestTextChars && isList(value);
    default:
      if (value.length > (longestOf[column] ?? longestTextChars)) return false;
      if (column === 'language') return isTag(value);
      return !/^(?:guid|source_guid|directory)$/.test(column) || isName(value);
  }
}

/** As the table of further transcripts checks it. */
const isTag = (value: string) => value.length <= 35 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/i.test(value);

/** A statistic has every day since the first one. */
const isDay = (value: string) => /^(?:19|20|21)[0-9]{2}-[0-9]{2}-[0-9]{2}$/.test(value);
/** Of the years 1 to 9999, which verbs accept. */
const isTime = (value: string) => /^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2} [-+:.0-9]+$/.test(value);
/** Of names, none of which needs quotation marks. */
const isList = (value: string) => /^\{[^{}"\\\s]*\}$/.test(value) && !/[{,]null[,}]/i.test(value);

/** Where an import found a file. It may be longer than what we publish. */
const isAddress = (value: string) =>
  value.length <= longestAddressChars && /^https?:\/\//i.test(value) && URL.canParse(value);

const isName = (value: string) => value.length > 0 && value.length <= longestNameChars;

function isReadableJson(column: string, text: string): boolean {
  if (isJsonDeeperThan(text, deepestJson)) return false;
  const value = tryParseJson(text);
  const isShaped = shapes[column];
  return value !== undefined && (isShaped === undefined || isShaped(value));
}

type IsShaped = (value: unknown) => boolean;

const isText: IsShaped = (value) => typeof value === 'string';
const isTextOrNull: IsShaped = (value) => value === null || isText(value);
const isOptionalText: IsShaped = (value) => value === undefined || isText(value);
const isMs: IsShaped = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isListOf =
  (isItem: IsShaped): IsShaped =>
  (value) =>
    Array.isArray(value) && value.every(isItem);
const isObjectOf =
  (fields: Readonly<Record<string, IsShaped>>): IsShaped =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(fields).every(([name, isShaped]) =>
      isShaped((value as Readonly<Record<string, unknown>>)[name]),
    );

const isRecordOf =
  (isName: (name: string) => boolean, isValue: IsShaped): IsShaped =>
  (value) =>
    isObjectOf({})(value) &&
    Object.entries(value as object).every(([name, one]) => isName(name) && isValue(one));
const isAnyName = (name: string) => name.length <= (longestOf['value'] ?? 0);
const isDimension = (name: string) => /^(?:apps|countries|devices|sources|referrers)$/.test(name);
const areFigures = isRecordOf(isAnyName, Number.isSafeInteger);

const isElement: IsShaped = (value) =>
  isObjectOf({
    name: isText,
    attributes: isListOf((pair) => isListOf(isText)(pair) && (pair as unknown[]).length === 2),
    text: isText,
    children: isListOf(isElement),
    expiresAt: isOptionalText,
  })(value);

const isChapter = isObjectOf({
  startMs: isMs,
  endMs: (value) => value === undefined || isMs(value),
  title: (value) => isOptionalText(value) && String(value).length <= maxChars.chapterTitle,
  imageUrl: isOptionalText,
  linkUrl: isOptionalText,
  hidden: (value) => value === undefined || typeof value === 'boolean',
});

/** By column. What they say is checked when the show is read. */
const shapes: Readonly<Record<string, IsShaped>> = {
  other_categories: isListOf(isObjectOf({ category: isText, subcategory: isTextOrNull })),
  other_funding: isListOf(isObjectOf({ url: isText, text: isTextOrNull })),
  enclosure_prefixes: isListOf(isText),
  page_sections: isListOf(isText),
  extra_elements: isListOf(isElement),
  imported: isObjectOf({}),
  // A job adds those of all shows up, and would stop at one that it can't add.
  counts: isRecordOf(
    isDimension,
    isRecordOf(isAnyName, (value) => isMs(value) && (value as number) <= mostOfDay),
  ),
  show_metrics: areFigures,
  metrics: areFigures,
  chapters: (value) => isListOf(isChapter)(value) && (value as unknown[]).length <= maxChapters,
};
