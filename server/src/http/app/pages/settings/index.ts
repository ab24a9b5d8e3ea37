import type { Route } from '../../../route.ts';
import { emailPage } from './email.ts';
import { keyPages } from './keys/index.ts';
import { passwordPage } from './password.ts';
import { profilePage } from './profile.ts';
import { sessionsPages } from './sessions.ts';
import { termsPage } from './terms.ts';

export const settingsPages: readonly Route[] = [
  ...profilePage,
  ...emailPage,
  ...termsPage,
  ...passwordPage,
  ...sessionsPages,
  ...keyPages,
];
