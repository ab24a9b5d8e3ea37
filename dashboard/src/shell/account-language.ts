import { i18n } from '@lingui/core';
import type { Language } from '../../../server/src/lib/languages.ts';
import { api, bodyOf } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { changeLanguage } from '../words/locales.ts';

/** A choice that the server does not know yet. */
let unsaved: Language | undefined;

/** Who is signed in; their language is a part of it. */
const queryKey = ['me'];

/** Changes the language here at once, and for the person's emails and other browsers. */
export async function chooseLanguage(language: Language): Promise<void> {
  unsaved = language;
  // A response that is on its way would bring the earlier choice back.
  await queryClient.cancelQueries({ queryKey });
  await changeLanguage(language);
  await save(language);
}

/** Without a connection, the choice is saved when the server next says who is signed in. */
async function save(language: Language): Promise<void> {
  try {
    await bodyOf(api.PATCH('/app/api/me', { body: { language } }));
  } catch {
    return;
  }
  if (unsaved === language) unsaved = undefined;
  await queryClient.invalidateQueries({ queryKey });
}

/**
 * Called when the server has said which language the person has, from any browser. Null: none, so the
 * browser's continues.
 */
export function adoptLanguage(chosen: Language | null): void {
  if (unsaved !== undefined) void save(unsaved);
  else if (chosen !== null && chosen !== i18n.locale) void changeLanguage(chosen);
}
