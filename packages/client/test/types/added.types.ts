import { createClient, type Event } from '../../src/index.ts';

// A program declares the events that its service adds.
declare module '../../src/index.ts' {
  interface AddedEvents {
    'invoice.paid': { id: string; type: 'invoice'; url: string; amount: number };
    'workflow.ended': { id: string; type: 'workflow'; url: string };
  }
}

const svc = createClient({ apiKey: 'svc_sk_1', baseUrl: 'https://a.example' });

export async function declared(event: Event) {
  if (event.type === 'invoice.paid') {
    const amount: number = event.subject.amount;
    return amount;
  }
  // A subject type that starts like one in the catalog.
  if (event.subject?.type === 'workflow') return event.subject.url;
  if (event.subject?.type === 'workspace') return (await svc.follow(event.subject)).timezone;
  // @ts-expect-error: neither in the catalog nor declared.
  return event.type === 'invoice.piad';
}
