export { mayAsk, type Reach } from './addresses.ts';
export { askOutside, OutboundError } from './outbound.ts';
