import { createClient, type Event } from '../../src/index.ts';

// A program declares the events that its service adds.
declare global {
  interface SvcEventTypes {
    'basket.placed': { id: string; type: 'basket'; url: string; amount: number };
    'workflow.ended': { id: string; type: 'workflow'; url: string };
  }
}

const svc = createClient({ apiKey: 'svc_sk_1', baseUrl: 'https://a.example' });

export async function declared(event: Event) {
  if (event.type === 'basket.placed') {
    const amount: number = event.subject.amount;
    return amount;
  }
  // A subject type that starts like one in the catalog.
  if (event.subject?.type === 'workflow') return event.subject.url;
  if (event.subject?.type === 'workspace') return (await svc.follow(event.subject)).timezone;
  // A type that is neither in the catalog nor declared.
  return event.type === 'basket.returned' && event.subject?.url;
}
