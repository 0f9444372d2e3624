import type { ImportedProfiles } from '@svc/contract/control/types';
import { TableHead } from '../../ui/table-head.tsx';

/** Lists the first hundred rejected lines of an import, with the reasons. */
export function Problems({ rejected, problems }: Pick<ImportedProfiles, 'rejected' | 'problems'>) {
  if (rejected === 0) return null;
  return (
    <details>
      <summary>
        {rejected.toLocaleString('en')} rejected {rejected === 1 ? 'line' : 'lines'}
        {rejected > problems.length && `, the first ${problems.length}`}
      </summary>
      <table class="plain narrow">
        <TableHead columns={['Line', 'Reason']} />
        <tbody>
          {problems.map(({ line, message }) => (
            <tr key={line}>
              <td class="num">{line.toLocaleString('en')}</td>
              <td>
                <bdi>{message}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
