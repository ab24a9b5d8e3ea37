import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import {
  type EmbedLook,
  type EmbedSubject,
  embedElementCode,
  embedFrameCode,
  embedFrameUrl,
  embedHeight,
  isStart,
  plainLook,
} from '../../../server/src/lib/embed-code.ts';
import { Checkbox } from './checkbox.tsx';
import { CopyField } from './copy-field.tsx';
import styles from './embed-builder.module.css';
import fieldStyles from './field.module.css';
import { Select } from './select.tsx';
import { TextField } from './text-field.tsx';

interface Props {
  readonly subject: EmbedSubject;
  /** The show's color, with which another one begins. */
  readonly color?: string;
  /** Whether the public can see it, and so can its preview. */
  readonly isPublic: boolean;
}

/** The code for a player on another site: how it looks, what it plays, and a preview. */
export function EmbedBuilder({ subject, color = '#1d5b52', isPublic }: Props) {
  const { t } = useLingui();
  const [chosen, setChosen] = useState(plainLook);
  const isWrong = chosen.start !== '' && !isStart(chosen.start);
  const look = isWrong ? { ...chosen, start: '' } : chosen;
  const choose = (change: Partial<EmbedLook>) => setChosen({ ...chosen, ...change });
  return (
    <>
      <div className={styles['choices']}>
        <Look look={chosen} choose={choose} color={color} />
        {subject.name === 'episode' && (
          <TextField
            label={t`Start at`}
            placeholder="1:30"
            value={chosen.start}
            onChange={(start) => choose({ start: start.trim() })}
            problem={isWrong ? t`Enter a time such as 1:30.` : undefined}
          />
        )}
      </div>
      {subject.name === 'podcast' && (
        <Checkbox
          isSelected={chosen.hasPlaylist}
          onChange={(hasPlaylist) => choose({ hasPlaylist })}
        >
          <Trans>List earlier episodes below the newest one</Trans>
        </Checkbox>
      )}
      {isPublic && <Preview subject={subject} look={look} />}
      <CopyField
        key={`frame ${JSON.stringify(look)}`}
        label={t`Frame, for any page`}
        value={embedFrameCode(subject, look)}
      />
      <CopyField
        key={`element ${JSON.stringify(look)}`}
        label={t`Web component, for pages that allow scripts`}
        value={embedElementCode(subject, look)}
      />
    </>
  );
}

interface LookProps {
  readonly look: EmbedLook;
  readonly choose: (change: Partial<EmbedLook>) => void;
  readonly color: string;
}

function Look({ look, choose, color }: LookProps) {
  const { t } = useLingui();
  return (
    <>
      <Select
        label={t`Size`}
        value={look.layout}
        onChange={(layout) => choose({ layout })}
        options={[
          { value: 'full', label: t`Large` },
          { value: 'compact', label: t`Compact` },
        ]}
      />
      <Select
        label={t`Player background`}
        value={look.theme}
        onChange={(theme) => choose({ theme })}
        options={[
          { value: '', label: t`As in the show’s settings` },
          { value: 'light', label: t`Light` },
          { value: 'dark', label: t`Dark` },
          { value: 'auto', label: t`Listener’s preference` },
        ]}
      />
      <div className={fieldStyles['field']}>
        <Checkbox
          isSelected={look.color !== ''}
          onChange={(isOther) => choose({ color: isOther ? color : '' })}
        >
          <Trans>Another color</Trans>
        </Checkbox>
        {look.color !== '' && (
          <input
            type="color"
            aria-label={t`Player color`}
            value={look.color}
            onChange={({ target }) => choose({ color: target.value })}
          />
        )}
      </div>
    </>
  );
}

/** While somebody drags through colors, no page is loaded for each of them. */
const previewDelayMs = 400;

function Preview({ subject, look }: { readonly subject: EmbedSubject; readonly look: EmbedLook }) {
  const { t } = useLingui();
  const wanted = embedFrameUrl(subject, look);
  const [url, setUrl] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setUrl(wanted), previewDelayMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  return (
    <iframe
      // A change behind the # alone doesn't load the page again.
      key={url}
      className={styles['preview']}
      src={url}
      title={t`Preview`}
      width="100%"
      height={embedHeight(look)}
      loading="lazy"
      sandbox="allow-scripts"
    />
  );
}
