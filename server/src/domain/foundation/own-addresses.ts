interface Hosts {
  readonly baseUrl: string;
  readonly embedUrl: string;
}

/**
 * Whether an http(s) URL leads to this installation. Ignores the scheme, the case of the host, a
 * trailing dot, a default port, and which local name is used.
 */
export function isOwnAddress(hosts: Hosts, address: string): boolean {
  const place = placeOf(address);
  return place !== undefined && ownPlaces(hosts).includes(place);
}

/** The same for audio, whose URL may have the prefix of a measurement service. */
export function isOwnAudio(hosts: Hosts, address: string): boolean {
  if (isOwnAddress(hosts, address)) return true;
  const path = decode(URL.parse(address)?.pathname ?? '').toLowerCase();
  return ownPlaces(hosts).some((place) => path.includes(`/${place}/media/`));
}

/** The episode id in a URL with the form of our audio URLs, on any host. */
export function audioEpisodeId(address: string): string | undefined {
  return mediaPath.exec(decode(URL.parse(address)?.pathname ?? ''))?.[1]?.toLowerCase();
}

const mediaPath = /\/media\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\//i;
/** Whether the service is reached on the reader's own machine alone. */
export const isLoopback = (url: string): boolean => loopback.test(new URL(url).hostname);

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1\]|\[::ffff:7f[^\]]*\])$/;

function ownPlaces({ baseUrl, embedUrl }: Hosts): string[] {
  return [baseUrl, embedUrl].flatMap((address) => placeOf(address) ?? []);
}

/** Host and port; the default ports of http and https count as one. */
function placeOf(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const name = url.hostname.replace(/\.$/, '');
  const host = loopback.test(name) ? 'localhost' : name;
  return url.port === '' || url.port === '80' || url.port === '443' ? host : `${host}:${url.port}`;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
