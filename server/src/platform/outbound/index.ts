export { mayAsk } from './addresses.ts';
export { askOutside, OutboundError } from './outbound.ts';
