import type { ReportedVersions } from '../../../domain/exchange/sites/index.ts';

interface GivenVersions {
  readonly plugin_version: string;
  readonly wp_version: string;
  readonly php_version: string;
}

export function readVersions(body: GivenVersions): ReportedVersions {
  return { plugin: body.plugin_version, wordpress: body.wp_version, php: body.php_version };
}
