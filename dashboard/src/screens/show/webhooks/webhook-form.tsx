import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { maxUrlChars } from '../../../../../server/src/lib/web-url.ts';
import { problemOf } from '../../../api/errors.ts';
import type { WebhookEvent } from '../../../api/webhooks.ts';
import { CheckboxGroup } from '../../../components/checkbox-group.tsx';
import { Form } from '../../../components/form.tsx';
import { LinkButton } from '../../../components/link-button.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { useEventWords } from './webhook-words.tsx';

export interface WebhookInput {
  readonly url: string;
  readonly types: WebhookEvent[];
}

interface Props {
  readonly podcastId: string;
  readonly initial: WebhookInput;
  readonly choices: readonly WebhookEvent[];
  readonly submit: string;
  readonly sending: {
    readonly mutate: (input: WebhookInput) => void;
    readonly isPending: boolean;
    readonly error: unknown;
  };
}

/** The URL of a webhook, and what it is notified of. */
export function WebhookForm({ podcastId, initial, choices, submit, sending }: Props) {
  const { t } = useLingui();
  const words = useEventWords();
  const [input, setInput] = useState(initial);
  const { error } = sending;
  return (
    <Form
      onSubmit={() => sending.mutate({ ...input, url: input.url.trim() })}
      submit={submit}
      isPending={sending.isPending}
      error={error}
      fields={['url', 'types']}
      beside={
        <LinkButton to="/shows/$podcastId/show/webhooks" params={{ podcastId }} kind="quiet">
          <Trans>Cancel</Trans>
        </LinkButton>
      }
    >
      <TextField
        label={t`URL`}
        hint={t`Where requests are sent. It must start with https://.`}
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://example.com/podstead"
        maxLength={maxUrlChars}
        value={input.url}
        onChange={(url) => setInput({ ...input, url })}
        problem={problemOf(error, 'url')}
      />
      <CheckboxGroup
        label={t`Events`}
        hint={t`Which changes are sent to the URL.`}
        choices={choices.map((type) => ({ value: type, label: words[type], hint: type }))}
        value={input.types}
        onChange={(types) => setInput({ ...input, types })}
        problem={problemOf(error, 'types')}
      />
    </Form>
  );
}
