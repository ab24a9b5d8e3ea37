import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  checkPrefixes,
  healthQuery,
  type PrefixCheck as PrefixResult,
  type ShowSettings,
} from '../../api/show-settings.ts';
import { Button } from '../../components/button.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { healthMessages } from '../../sentences/health-words.ts';

/** Checks at once whether apps get to the audio; for someone who has just corrected a prefix. */
export function PrefixCheck({ show }: { readonly show: ShowSettings }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const check = useMutation({
    mutationFn: () => checkPrefixes(show.id),
    onSuccess: () => queries.invalidateQueries({ queryKey: healthQuery(show.id).queryKey }),
  });
  return (
    <Section
      title={t`Measurement services`}
      about={
        <Trans>
          They’re checked daily. A check takes up to 10 seconds and isn’t counted as a download.
        </Trans>
      }
    >
      {check.data !== undefined && !check.isPending && <Result of={check.data} />}
      {check.error !== null && (
        <Notice tone="bad">
          <FailureText error={check.error} />
        </Notice>
      )}
      <p>
        <Button isPending={check.isPending} onPress={() => check.mutate()}>{t`Check now`}</Button>
      </p>
    </Section>
  );
}

function Result({ of: { problem, host } }: { readonly of: PrefixResult }) {
  const { i18n } = useLingui();
  if (problem === 'none') {
    return (
      <Notice tone="good">
        <Trans>All measurement services redirect to the audio.</Trans>
      </Notice>
    );
  }
  if (problem === 'nothing') {
    return (
      <Notice tone="info">
        <Trans>
          There’s nothing to check yet: the show has to be active, with an episode whose audio is
          here.
        </Trans>
      </Notice>
    );
  }
  const words = healthMessages[`prefixes_work.${problem}`];
  return words && <Notice tone="bad">{i18n._({ ...words, values: { host } })}</Notice>;
}
