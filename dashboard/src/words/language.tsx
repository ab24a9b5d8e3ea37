import { i18n } from '@lingui/core';
import { I18nProvider as Messages, useLingui } from '@lingui/react';
import type { ReactNode } from 'react';
import { I18nProvider as Formats } from 'react-aria-components/I18nProvider';
import type { Language as Id } from '../../../server/src/lib/languages.ts';
import { formattingLocale } from './locales.ts';

/** Gives the messages of the language to the app, and its formats to the components. */
export function Language({ children }: { readonly children: ReactNode }) {
  return (
    <Messages i18n={i18n}>
      <WithFormats>{children}</WithFormats>
    </Messages>
  );
}

function WithFormats({ children }: { readonly children: ReactNode }) {
  const { i18n: current } = useLingui();
  return <Formats locale={formattingLocale(current.locale as Id)}>{children}</Formats>;
}
