import { expect, it } from 'vitest';
import { findMisspeltSettings } from './misspelt-settings.ts';

it.each([
  ['S3_ACESS_KEY_ID', 'S3_ACCESS_KEY_ID'],
  ['S3_SECRET_KEY_ACCESS', undefined],
  ['BASEURL', 'BASE_URL'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['SMTP_ULR', 'SMTP_URL'],
  ['SECRETS', 'SECRET'],
  ['TRUSTED_PROXY', 'TRUST_PROXY'],
  ['METRIC_PORT', 'METRICS_PORT'],
  ['PATH', undefined],
  ['HOME', undefined],
  ['HOSTNAME', undefined],
  ['NODE_ENV', undefined],
  ['DATABASE_URL', undefined],
  ['smtp_ulr', undefined],
  ['npm_config_user_agent', undefined],
])('%s: %s is meant', (name, meant) => {
  const warning = meant && `${name} is not a setting. Did you mean ${meant}?`;
  expect(findMisspeltSettings([name, 'LANG'])).toEqual(warning === undefined ? [] : [warning]);
});

it('a setting that is set is not suggested', () => {
  expect(findMisspeltSettings(['SECRETS', 'SECRET'])).toEqual([]);
});
