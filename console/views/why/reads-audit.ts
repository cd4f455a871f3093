// Who is shown requests.
import { useSession } from '../../frame/session.tsx';

/** Audit records tell of all projects. */
export function useReadsAudit(): boolean {
  const { is, projects } = useSession();
  return is('admin') && projects === null;
}
