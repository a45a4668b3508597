// The broker of the product without the product, for measurements against it: everybody may do everything. Prints its
// port; lives until it is killed.
import { createServer } from 'node:net';
import { Aedes } from 'aedes';

const broker = await Aedes.createBroker({ authenticate: (_client, _username, _password, done) => done(null, true) });
const server = createServer((socket) => {
  socket.setNoDelay(true);
  broker.handle(socket);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`);
});
