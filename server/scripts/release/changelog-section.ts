/**
 * The section of CHANGELOG.md for a version: its own, or else "Unreleased" under a heading with the
 * version and the date (YYYY-MM-DD). Throws if there is neither, or nothing in it.
 */
export function changelogSection(changelog: string, version: string, date: string): string {
  const [own, unreleased] = [version, 'Unreleased'].map((name) => findSection(changelog, name));
  const found = own ?? unreleased;
  if (found === undefined || found.text === '') {
    throw new Error(`CHANGELOG.md says nothing about ${version}, and has nothing unreleased.`);
  }
  const heading = own === undefined ? headingOf(version, date) : own.heading;
  return `${heading}\n\n${found.text}\n`;
}

/**
 * The changelog of a release: "Unreleased" gets the version and the date, unless the version has a
 * section.
 */
export function nameUnreleased(changelog: string, version: string, date: string): string {
  if (findSection(changelog, version) !== undefined) return changelog;
  return changelog.replace(/^## \[Unreleased\]$/m, headingOf(version, date));
}

function headingOf(version: string, date: string): string {
  return `## [${version}] - ${date}`;
}

function findSection(changelog: string, name: string) {
  const sections = changelog.split(/^(?=## )/m);
  const section = sections.find((text) => text.startsWith(`## [${name}]`));
  if (section === undefined) return undefined;
  const [heading = '', ...lines] = section.split('\n');
  return { heading, text: lines.join('\n').trim() };
}
