import { createWebhooks, type UnknownDelivery, type UnknownEvent } from '@svc/webhooks';

// A program declares the events that its service adds.
declare global {
  interface SvcEventTypes {
    'order.paid': { id: string; type: 'order'; url: string; amount: number };
    'lifecycle.started': { id: string; type: 'workspace'; url: string };
  }
}

const webhooks = createWebhooks({ secrets: 'whsec_x' });

webhooks.on('order.paid', (event, delivery) => {
  const amount: number = event.subject.amount;
  const known: false = delivery.known;
  return [amount, known, delivery satisfies UnknownDelivery];
});
webhooks.on('order.*', (event) => {
  // An undeclared type may arrive too.
  if (event.type !== 'order.paid') return (event satisfies UnknownEvent).subject?.url;
  return event.subject.amount;
});
webhooks.on('*', (event) => (event.type === 'order.paid' ? event.subject.amount : event.subject?.url));
webhooks.on(['order.paid', 'lifecycle.evaluated'], (event) => event.subject.url);
webhooks.on('webhook.endpoint.auto_disabled', (event) => event.subject?.url);
// Declared events do not change a glob over the catalog. It gets only events of the catalog.
webhooks.on('lifecycle.*', (event) => event.type satisfies 'lifecycle.evaluated');

// A type that is neither in the catalog nor declared.
webhooks.on('order.returned', (event, { known }) => [event satisfies UnknownEvent, known satisfies false]);
webhooks.on('*', (event) => event.type === 'order.returned' && event.subject?.url);
