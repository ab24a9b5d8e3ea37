import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { invitationsQuery, revokeInvitation } from '../../api/team.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card, Cards } from '../../components/card.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Moment } from '../../components/moment.tsx';
import { Notice } from '../../components/notice.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { useRoleName } from '../../components/role-name.ts';
import { showMessage } from '../../components/toasts.ts';

export function Invitations({ podcastId }: { readonly podcastId: string }) {
  const { t } = useLingui();
  const nameOf = useRoleName();
  const queries = useQueryClient();
  const invitations = useQuery(invitationsQuery(podcastId));
  const revoke = useMutation({
    mutationFn: (id: string) => revokeInvitation(podcastId, id),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: invitationsQuery(podcastId).queryKey });
      showMessage({ text: t`The invitation was withdrawn.` });
    },
  });
  return (
    <>
      {revoke.isError && (
        <Notice tone="bad">
          <FailureText error={revoke.error} />
        </Notice>
      )}
      <QueryView query={invitations}>
        {(list) =>
          list.length === 0 ? (
            <p>
              <Trans>No invitation is open.</Trans>
            </p>
          ) : (
            <Cards label={t`Invitations`}>
              {list.map(({ id, email, expires_at: expiresAt, ...role }) => (
                <Card
                  key={id}
                  level={3}
                  title={
                    <>
                      {email} <Badge tone="info">{nameOf(role)}</Badge>
                    </>
                  }
                  about={
                    <Trans>
                      Open until <Moment of={expiresAt} />
                    </Trans>
                  }
                  actions={
                    <Button
                      size="small"
                      aria-label={t`Withdraw: ${email}`}
                      onPress={() => revoke.mutate(id)}
                    >
                      {t`Withdraw`}
                    </Button>
                  }
                />
              ))}
            </Cards>
          )
        }
      </QueryView>
    </>
  );
}
