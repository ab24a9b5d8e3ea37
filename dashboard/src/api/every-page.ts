const pageSize = 100;

interface PageOf<Item> {
  readonly data: readonly Item[];
  readonly pagination: { readonly next_cursor: string | null };
}

/** All items of a list that the server gives in pages. */
export async function everyPage<Item>(
  read: (query: { limit: number; cursor?: string }) => Promise<PageOf<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: PageOf<Item> = await read({ limit: pageSize, ...(cursor !== null && { cursor }) });
    items.push(...page.data);
    cursor = page.pagination.next_cursor;
  } while (cursor !== null);
  return items;
}
