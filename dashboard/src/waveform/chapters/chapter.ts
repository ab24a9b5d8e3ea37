import type { components } from '../../api/schema.d.ts';

export type Chapter = components['schemas']['EpisodeChapters']['chapters'][number];

/** A chapter in the editor: it keeps its identity while its time changes. */
export interface Row extends Chapter {
  readonly id: string;
  /** Nothing was typed into it since it was added, so it is not saved. */
  readonly isNew?: boolean;
}

export type Fields = Partial<Omit<Row, 'id' | 'isNew'>>;

let made = 0;

export function toRow(chapter: Omit<Row, 'id'>): Row {
  made += 1;
  return { ...chapter, id: `chapter-${made}` };
}

export function toChapter({ id: _id, isNew: _isNew, ...chapter }: Row): Chapter {
  return chapter;
}

export function newRow(seconds: number, title = ''): Row {
  return toRow({
    start_seconds: roundTime(seconds),
    end_seconds: null,
    title,
    image_url: null,
    link_url: null,
    hidden: false,
    isNew: title === '',
  });
}

/** To a tenth of a second: nobody hears less. */
export function roundTime(seconds: number): number {
  return Math.round(Math.max(0, seconds) * 10) / 10;
}

/** In order of time; chapters at the same time keep their order. */
export function inOrder(rows: readonly Row[]): Row[] {
  return [...rows].sort((one, other) => one.start_seconds - other.start_seconds);
}

export function changeRow(rows: readonly Row[], id: string, fields: Fields): Row[] {
  return inOrder(rows.map((row) => (row.id === id ? withFields(row, fields) : row)));
}

/** An end that is not after the start any more is dropped. */
function withFields(row: Row, fields: Fields): Row {
  const { title, link_url: link, image_url: image } = fields;
  const isNew = row.isNew === true && !title && !link && !image;
  const changed = { ...row, ...fields, isNew };
  const isOver = changed.end_seconds !== null && changed.end_seconds <= changed.start_seconds;
  return isOver ? { ...changed, end_seconds: null } : changed;
}

/**
 * Replaces these chapters with others. A chapter that is in both lists, by its title or within a
 * second of its start, keeps its link and picture if the new list has none.
 */
export function replaceRows(before: readonly Row[], chapters: readonly Chapter[]): Row[] {
  const byTitle = new Map(before.map((row) => [nameOf(row), row]));
  return inOrder(
    chapters.map((chapter) => {
      const known =
        byTitle.get(nameOf(chapter)) ??
        before.find(({ start_seconds: start }) => Math.abs(start - chapter.start_seconds) < 1);
      return toRow({
        ...chapter,
        link_url: chapter.link_url ?? known?.link_url ?? null,
        image_url: chapter.image_url ?? known?.image_url ?? null,
        hidden: chapter.hidden || (known?.hidden ?? false),
      });
    }),
  );
}

function nameOf({ title }: Chapter): string {
  return title?.trim().toLowerCase() || Symbol('untitled').toString();
}
