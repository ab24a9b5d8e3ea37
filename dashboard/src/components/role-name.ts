import { useLingui } from '@lingui/react/macro';

interface Role {
  readonly role: string;
  /** As the server has it: in English, or what somebody called a role of their own. */
  readonly role_name: string;
}

/** The name of a role in the language of the app. */
export function useRoleName(): (of: Role) => string {
  const { t } = useLingui();
  const names: Readonly<Record<string, string>> = {
    owner: t`Owner`,
    admin: t`Admin`,
    editor: t`Editor`,
    analyst: t`Analyst`,
    cohost: t`Co-host`,
  };
  return ({ role, role_name: name }) => names[role] ?? name;
}
