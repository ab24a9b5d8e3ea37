/** Arrays of up to `size` items, in order. With weights: each ends with the item that brings its sum to `size`. */
export function* chunksOf<Item>(
  items: Iterable<Item>,
  size: number,
  weightOf: (item: Item) => number = () => 1,
): Generator<Item[]> {
  let chunk: Item[] = [];
  let weight = 0;
  for (const item of items) {
    chunk.push(item);
    weight += weightOf(item);
    if (weight < size) continue;
    yield chunk;
    chunk = [];
    weight = 0;
  }
  if (chunk.length > 0) yield chunk;
}
