import type { Route } from '../../../../route.ts';
import { keysPage } from './list-keys.ts';
import { newKeyPage } from './new-key.ts';
import { revokeKeyPages } from './revoke-key.ts';
import { rollKeyPage } from './roll-key.ts';
import { widenKeyPage } from './widen-key.ts';

export const keyPages: readonly Route[] = [
  keysPage,
  ...newKeyPage,
  ...rollKeyPage,
  ...widenKeyPage,
  ...revokeKeyPages,
];
