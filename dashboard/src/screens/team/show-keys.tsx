import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MyPodcast } from '../../api/podcasts.ts';
import { cutOffKeys, setTeamKeys } from '../../api/team.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { Switch } from '../../components/switch.tsx';

interface Props {
  readonly show: MyPodcast;
}

/** For the owner: which API keys may read the show. */
export function ShowKeys({ show: { id, team_keys: teamKeys, may } }: Props) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const allow = useMutation({
    mutationFn: (allowed: boolean) => setTeamKeys(id, allowed),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['podcasts'] }),
  });
  const cutOff = useMutation({
    mutationFn: () => cutOffKeys(id),
    onSuccess: () => setAsking(false),
  });
  return (
    <Section
      title={t`API keys`}
      about={
        <Trans>
          Team members’ keys can access what their role lets them see; only your own keys can access
          downloads. Sites they connected use keys too.
        </Trans>
      }
    >
      {allow.isError && (
        <Notice tone="bad">
          <FailureText error={allow.error} />
        </Notice>
      )}
      <Switch
        isSelected={allow.isPending ? allow.variables : teamKeys}
        onChange={allow.mutate}
        isDisabled={allow.isPending || !may.set_team_keys}
      >
        <Trans>Team members can access this show with their API keys</Trans>
      </Switch>
      {cutOff.data !== undefined && <CutOffResult of={cutOff.data} />}
      {may.cut_off_keys && (
        <Button kind="danger" onPress={() => setAsking(true)}>
          {t`Revoke all keys’ access`}
        </Button>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t`Revoke all keys’ access?`}
        action={t`Revoke access`}
        onConfirm={cutOff.mutate}
        isPending={cutOff.isPending}
        error={cutOff.error}
      >
        <p>
          <Trans>
            All existing keys, including yours and those of connected sites, permanently lose access
            to this show. New keys can access it. This can’t be undone.
          </Trans>
        </p>
      </ConfirmDialog>
    </Section>
  );
}

interface CutOffResultProps {
  readonly of: { readonly blocked_keys: number; readonly revoked_keys: number };
}

function CutOffResult({ of: { blocked_keys: blocked, revoked_keys: revoked } }: CutOffResultProps) {
  return (
    <Notice tone="good">
      <Plural
        value={blocked}
        _0="No keys had access to this show."
        one="# key can no longer access this show."
        other="# keys can no longer access this show."
      />{' '}
      {revoked > 0 && (
        <Plural
          value={revoked}
          one="# key had no other access and was revoked."
          other="# keys had no other access and were revoked."
        />
      )}
    </Notice>
  );
}
