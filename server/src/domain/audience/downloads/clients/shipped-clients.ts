import apps from './apps.json' with { type: 'json' };
import bots from './bots.json' with { type: 'json' };
import browsers from './browsers.json' with { type: 'json' };
import { clientKinds, type Recognize, unknownLabel } from './client.ts';
import devices from './devices.json' with { type: 'json' };
import libraries from './libraries.json' with { type: 'json' };
import { WildcardIndex } from './wildcard-index.ts';

/** Wildcard patterns by name. Earlier names are searched first. */
type Table = Readonly<Record<string, readonly string[]>>;

const tables: Readonly<Record<(typeof clientKinds)[number], Table>> = {
  bot: bots,
  app: apps,
  library: libraries,
  browser: browsers,
};

/** Recognizes clients by the tables in this folder (docs/decisions/0037). */
export function recognizeShippedClients(): Recognize {
  const names = clientKinds.flatMap((kind) =>
    listPatterns(tables[kind]).map(({ name, pattern }) => ({ kind, name, pattern })),
  );
  const ofDevices = listPatterns(devices);
  const index = new WildcardIndex(names.map(({ pattern }) => pattern));
  const deviceIndex = new WildcardIndex(ofDevices.map(({ pattern }) => pattern));
  return (userAgent) => {
    const text = decodePercents(userAgent);
    const { kind, name } = names[index.find(text)] ?? { kind: 'unknown', name: unknownLabel };
    if (kind === 'bot') return { kind, app: name, device: unknownLabel };
    return { kind, app: name, device: ofDevices[deviceIndex.find(text)]?.name ?? unknownLabel };
  };
}

function listPatterns(table: Table): { name: string; pattern: string }[] {
  return Object.entries(table).flatMap(([name, patterns]) =>
    patterns.map((pattern) => ({ name, pattern })),
  );
}

/** Decodes names of apps in URL encoding (`BBC%20Sounds/1`). Other text stays. */
function decodePercents(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/(?:%[\dA-Fa-f]{2})+/g, (encoded) =>
    Buffer.from(encoded.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}
