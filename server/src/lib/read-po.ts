/**
 * Reads the translations of a gettext catalog, as `msgid` and `msgstr` of each entry. Leaves out
 * entries without a translation, obsolete ones, and those of a context.
 */
export function readPo(catalog: string): Map<string, string> {
  const translations = new Map<string, string>();
  for (const entry of catalog.split(/\n{2,}/)) {
    const { msgctxt, msgid = '', msgstr = '' } = readEntry(entry);
    if (msgctxt === undefined && msgid !== '' && msgstr !== '') translations.set(msgid, msgstr);
  }
  return translations;
}

function readEntry(entry: string): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  let current = '';
  for (const line of entry.split('\n')) {
    const [, name, quoted] = /^(?:(\w+) )?(".*")$/.exec(line) ?? [];
    if (quoted === undefined) continue;
    current = name ?? current;
    // The escapes of catalogs are also JSON's.
    fields[current] = (fields[current] ?? '') + JSON.parse(quoted);
  }
  return fields;
}
