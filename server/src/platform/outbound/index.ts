export { mayAsk } from './addresses.ts';
export { askOutside, OutboundError, type OutboundAnswer } from './outbound.ts';
