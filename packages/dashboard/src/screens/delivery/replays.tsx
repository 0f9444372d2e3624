import type { DeliveryReplays } from '@svc/contract/control/types';
import { useControl } from '../../data/use-control.ts';
import { deliveryUrl } from '../../routes.ts';
import { Fact } from '../../ui/fact.tsx';
import { Id } from '../../ui/id.tsx';
import { Status } from '../../ui/status.tsx';

export function Replays({ workspaceId, id }: { workspaceId: string; id: string }) {
  const { data } = useControl('/deliveries/{deliveryId}/replays', { params: { deliveryId: id } }, ['deliveries']);
  const list = (deliveries: DeliveryReplays['replays']) => (
    <ul>
      {deliveries.map((one) => (
        <li key={one.id} class="row">
          <Status value={one.status} />
          <Id value={one.id} href={deliveryUrl(workspaceId, one.id)} />
        </li>
      ))}
    </ul>
  );
  return (
    <>
      {data?.original && <Fact name="Replay of">{list([data.original])}</Fact>}
      <Fact name={data?.original ? 'Other replays' : 'Replays'}>
        {data === undefined ? (
          <span class="skeleton" />
        ) : data.replays.length === 0 ? (
          <span class="quiet">none</span>
        ) : (
          list(data.replays)
        )}
      </Fact>
    </>
  );
}
