import type { InjectedFault } from '@svc/contract/control/types';
import { useState } from 'preact/hooks';
import { control } from '../../data/control.ts';
import { useEndpoints } from '../../data/endpoints.ts';
import { isInForce, useFaults } from '../../data/faults.ts';
import { shortenId, shortenUrl } from '../../format/text.ts';
import type { ScreenProps } from '../../screen-props.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Notice } from '../../ui/empty-state.tsx';
import { ScreenHead } from '../../ui/screen-head.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { useTitle } from '../../ui/title.ts';
import { orToast } from '../../ui/toast.tsx';
import { FaultForm } from './form.tsx';
import { faultSentence } from './sentence.ts';

export function FaultsScreen({ workspaceId }: ScreenProps) {
  const { data: faults } = useFaults();
  const { data: endpoints } = useEndpoints(workspaceId);
  const [isAdding, setAdding] = useState(false);
  useTitle('Faults', workspaceId);
  const nameOf = (id: string) => shortenUrl(endpoints?.find((endpoint) => endpoint.id === id)?.url ?? shortenId(id));
  return (
    <div class="screen">
      <ScreenHead title="Faults">
        <ActionButton
          class="danger"
          why={faults?.length === 0 ? 'There are no faults to remove' : undefined}
          onClick={() => orToast(() => control('DELETE', '/faults'))}
        >
          Remove all faults
        </ActionButton>
        <ActionButton icon="plus" class="primary" onClick={() => setAdding(true)}>
          Inject a fault
        </ActionButton>
      </ScreenHead>
      <p class="quiet">Faults apply to the whole server, in every workspace. They never affect this page.</p>
      {faults?.length === 0 && (
        <Notice
          title="No faults"
          text="Inject a fault, such as an outage, a slow response or a lost response, to see how your receiver or your client copes."
        />
      )}
      {faults && faults.length > 0 && (
        <table class="plain">
          <TableHead columns={['Fault', 'Struck']} hasActions />
          <tbody>
            {faults.map((fault) => (
              <FaultRow key={fault.id} fault={fault} nameOf={nameOf} />
            ))}
          </tbody>
        </table>
      )}
      {isAdding && <FaultForm endpoints={endpoints ?? []} nameOf={nameOf} onClose={() => setAdding(false)} />}
    </div>
  );
}

function FaultRow({ fault, nameOf }: { fault: InjectedFault; nameOf: (id: string) => string }) {
  return (
    <tr>
      <td>
        <span class="badge">{fault.target === 'api' ? 'API' : 'delivery'}</span> {faultSentence(fault, nameOf)}
        {!isInForce(fault) && <span class="quiet"> This fault no longer applies.</span>}
      </td>
      <td class="num">
        {fault.struck}
        <span class="quiet">{fault.times === null ? '' : ` of ${fault.times}`}</span>
      </td>
      <td class="end">
        <button
          type="button"
          class="small danger"
          onClick={() => orToast(() => control('DELETE', '/faults/{faultId}', { params: { faultId: fault.id } }))}
        >
          Remove<span class="hidden-visually"> the fault {fault.id}</span>
        </button>
      </td>
    </tr>
  );
}
