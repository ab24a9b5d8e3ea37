import type { Container, PodSpec } from './deploy-files.ts';

/** Kinds of volumes that the restricted profile allows. */
const allowedVolumes = [
  ...['configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral'],
  ...['persistentVolumeClaim', 'projected', 'secret'],
];

/**
 * What of a pod the restricted profile of Kubernetes' Pod Security Standards refuses. Profiles of seccomp and
 * users of the pod count for its containers.
 */
export function findRestrictedFaults(pod: PodSpec): string[] {
  const faults: string[] = [];
  for (const name of ['hostNetwork', 'hostPID', 'hostIPC'] as const)
    if (pod[name] === true) faults.push(name);
  if ((pod.securityContext?.sysctls?.length ?? 0) > 0) faults.push('sysctls');
  for (const { name, ...kinds } of pod.volumes ?? []) {
    const [kind = 'none'] = Object.keys(kinds);
    if (!allowedVolumes.includes(kind)) faults.push(`volume ${String(name)}: ${kind}`);
  }
  const containers = [...(pod.initContainers ?? []), ...pod.containers];
  for (const container of containers) {
    for (const fault of findContainerFaults(container, pod))
      faults.push(`${container.name}: ${fault}`);
  }
  return faults;
}

function findContainerFaults({ securityContext: own = {}, ports = [] }: Container, pod: PodSpec) {
  const faults: string[] = [];
  const { runAsNonRoot, runAsUser, seccompProfile } = { ...pod.securityContext, ...own };
  if (runAsNonRoot !== true) faults.push('runAsNonRoot');
  if (runAsUser === 0) faults.push('runAsUser');
  if (!['RuntimeDefault', 'Localhost'].includes(seccompProfile?.type ?? ''))
    faults.push('seccompProfile');
  if (own.allowPrivilegeEscalation !== false) faults.push('allowPrivilegeEscalation');
  if (own.privileged === true) faults.push('privileged');
  if (own.procMount !== undefined && own.procMount !== 'Default') faults.push('procMount');
  if (own.capabilities?.drop?.includes('ALL') !== true) faults.push('capabilities.drop');
  if (own.capabilities?.add?.some((name) => name !== 'NET_BIND_SERVICE') === true)
    faults.push('capabilities.add');
  if (ports.some(({ hostPort }) => hostPort !== undefined)) faults.push('hostPort');
  return faults;
}
