const extensions: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/aac': 'aac',
  'audio/ogg': 'ogg',
  'audio/opus': 'opus',
  'audio/flac': 'flac',
  'audio/wav': 'wav',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/x-m4v': 'm4v',
};

/** Names that feeds use for the types above. */
const aliases: Readonly<Record<string, string>> = {
  'audio/mp3': 'audio/mpeg',
  'audio/mpeg3': 'audio/mpeg',
  'audio/x-mpeg': 'audio/mpeg',
  'audio/x-mp3': 'audio/mpeg',
  'audio/x-m4a': 'audio/mp4',
  'audio/m4a': 'audio/mp4',
  'audio/x-aac': 'audio/aac',
  'audio/aacp': 'audio/aac',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/x-flac': 'audio/flac',
  ...{ 'audio/mpg': 'audio/mpeg', 'audio/x-mpg': 'audio/mpeg', 'audio/x-mp4': 'audio/mp4' },
  ...{ 'audio/x-ogg': 'audio/ogg', 'audio/vorbis': 'audio/ogg', 'audio/x-opus': 'audio/opus' },
  'audio/vnd.wave': 'audio/wav',
  'application/ogg': 'audio/ogg',
};

/** Types that servers send if they do not know the type. */
const anything: ReadonlySet<string> = new Set([
  ...['', 'application/octet-stream', 'binary/octet-stream', 'application/binary'],
  ...['application/download', 'application/force-download', 'application/x-download', 'audio/*'],
]);

/** Extensions of programs: they say nothing about the file that the program sends. */
const programs: ReadonlySet<string> = new Set([
  ...['php', 'asp', 'aspx', 'ashx', 'cgi', 'jsp', 'do', 'cfm', 'pl', 'py'],
]);

/**
 * Type and extension of audio that we have no copy of: the declared type, else by the extension in
 * its address. If neither says anything it is MP3, as most audio is. Undefined for what would be
 * refused as a file, too (a picture, a PDF, WMA).
 */
export function detectExternalType(
  url: string,
  declaredType: string | null,
): { contentType: string; extension: string } | undefined {
  const declared = declaredType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const contentType = aliases[declared] ?? declared;
  const known = extensions[contentType];
  if (known !== undefined) return { contentType, extension: known };
  const ending = extensionOf(url);
  const byEnding = Object.entries(extensions).find(([, extension]) => extension === ending);
  if (byEnding !== undefined) return { contentType: byEnding[0], extension: byEnding[1] };
  const saysNothing = ending === undefined || programs.has(ending);
  if (!saysNothing || !anything.has(declared)) return undefined;
  return { contentType: 'audio/mpeg', extension: 'mp3' };
}

function extensionOf(url: string): string | undefined {
  const path = URL.canParse(url) ? new URL(url).pathname : '';
  return /\.([a-z0-9]{2,5})$/i.exec(path)?.[1]?.toLowerCase();
}
