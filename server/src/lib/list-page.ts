/** One page of a list, and the position after it; undefined on the last page. */
export interface Page<Item, Position> {
  readonly items: readonly Item[];
  readonly next: Position | undefined;
}

/** `rows` has one row more than requested if another page follows. */
export function toPage<Item, Position>(
  rows: readonly Item[],
  limit: number,
  positionOf: (item: Item) => Position,
): Page<Item, Position> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { items, next: more ? positionOf(last) : undefined };
}
