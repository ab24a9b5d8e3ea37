import { isUuid } from '../../../../lib/uuid.ts';

/** Where a page of a list ends: a time and an id, as a parameter of the next page's link. */
interface Place {
  readonly createdAt: Date;
  readonly id: string;
}

export function writePlace({ createdAt, id }: Place): string {
  return `${createdAt.getTime()}.${id}`;
}

/** Undefined, which is the beginning, for everything that `writePlace` did not write. */
export function readPlace(text: unknown): Place | undefined {
  if (typeof text !== 'string') return undefined;
  const [, time = '', id = ''] = /^(\d{1,14})[.](.{36})$/.exec(text) ?? [];
  return isUuid(id) ? { createdAt: new Date(Number(time)), id } : undefined;
}
