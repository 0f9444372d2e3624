export type { ListEnvelope as ControlPage, ListQuery as PageInput } from '../../resources/list.ts';
