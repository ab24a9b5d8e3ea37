import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { pagePreviewPath, type ShowSettings } from '../../../api/show-settings.ts';
import { Button } from '../../../components/button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { pageFields, type ShowFields } from '../show-fields.ts';
import styles from './listen-page.module.css';

interface Props {
  readonly show: ShowSettings;
  readonly fields: ShowFields;
}

export const previewId = 'page-preview';
const pauseMs = 400;

/** The page with what is not saved yet. */
export function PagePreview({ show, fields }: Props) {
  const { t } = useLingui();
  const [isNarrow, setNarrow] = useState(() => matchMedia('(max-width: 40rem)').matches);
  const values = pageFields.map((name) => [name, formValue(fields.value(name))] as const);
  const send = (frame: string) => sendForm(pagePreviewPath(show.id), values, frame);
  // What else is on the page is saved, and counts as a revision.
  const { frames, isFailed } = useFrames(JSON.stringify([show.revision, values]), send);
  return (
    <section className={styles['preview']} aria-labelledby={previewId}>
      <header>
        <h2 id={previewId}>
          <Trans>Preview</Trans>
        </h2>
        <fieldset className={styles['widths']}>
          <legend className="unseen">{t`Width of the preview`}</legend>
          {[true, false].map((narrow) => (
            <Button
              key={String(narrow)}
              kind={isNarrow === narrow ? 'primary' : 'plain'}
              size="small"
              aria-pressed={isNarrow === narrow}
              onPress={() => setNarrow(narrow)}
            >
              {narrow ? t`Phone` : t`Computer`}
            </Button>
          ))}
        </fieldset>
      </header>
      {isFailed && (
        <Notice tone="warn">
          <Trans>The preview can’t be shown right now.</Trans>
        </Notice>
      )}
      <div className={styles['stage']} data-narrow={isNarrow}>
        {frames.map(({ number, isShown, onLoad }) => (
          <iframe
            key={number}
            name={frameName(number)}
            title={t`Preview of the page`}
            data-shown={isShown}
            aria-hidden={!isShown}
            tabIndex={isShown ? undefined : -1}
            onLoad={onLoad}
          />
        ))}
      </div>
    </section>
  );
}

const frameName = (number: number) => `page-preview-${number}`;

const formValue = (value: string | readonly string[] | null) =>
  typeof value === 'string' ? value : (value ?? []).join(',');

/** A form of its own, because the preview is within the one that saves. */
function sendForm(
  action: string,
  values: readonly (readonly [name: string, value: string])[],
  frame: string,
): void {
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action, target: frame, hidden: true });
  for (const [name, value] of values) {
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
  }
  document.body.append(form);
  form.submit();
  form.remove();
}

/**
 * Sends the values into a new frame after each change, and shows that when it has loaded: the old one stays
 * visible until then, and the window's history gets no entries.
 */
function useFrames(change: string, send: (frame: string) => void) {
  const latest = useRef(send);
  latest.current = send;
  const [numbers, setNumbers] = useState({ shown: 0, next: 0 });
  const [isFailed, setFailed] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change begins another frame.
  useEffect(() => {
    const timer = setTimeout(
      () => setNumbers(({ shown, next }) => ({ shown, next: next + 1 })),
      pauseMs,
    );
    return () => clearTimeout(timer);
  }, [change]);
  const { shown, next } = numbers;
  useEffect(() => {
    if (next > 0) latest.current(frameName(next));
  }, [next]);
  const load = (number: number, frame: HTMLIFrameElement) => {
    const page = frame.contentDocument;
    // A new frame is empty at first.
    if (page === null || page.URL === 'about:blank' || number === shown) return;
    const isPage = page.contentType === 'text/html' && page.querySelector('main') !== null;
    setFailed(!isPage);
    if (!isPage) return;
    const before = frame.parentElement?.querySelector<HTMLIFrameElement>('[data-shown="true"]');
    frame.contentWindow?.scrollTo(0, before?.contentWindow?.scrollY ?? 0);
    setNumbers((current) => ({ ...current, shown: number }));
  };
  const frames = [...new Set([shown, next])]
    .filter((number) => number > 0)
    .map((number) => ({
      number,
      isShown: number === shown,
      onLoad: ({ currentTarget }: { readonly currentTarget: HTMLIFrameElement }) =>
        load(number, currentTarget),
    }));
  return { frames, isFailed };
}
