// Pays once with axios and axios-retry, in one of the ways in which people set them up.
// Usage: node pay.js SHOP TOKEN_FILE BODY_FILE MANNER
'use strict';

const { randomUUID } = require('node:crypto');
const { readFileSync } = require('node:fs');
const axios = require('axios');
const { default: axiosRetry } = require('axios-retry');

const [shop, tokenFile, bodyFile, manner] = process.argv.slice(2);
const body = JSON.parse(readFileSync(bodyFile, 'utf8'));
const client = axios.create({
  baseURL: shop,
  timeout: 5000,
  headers: { Authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}` },
});

// The package's own rule repeats a POST, too, where the connection was lost before the answer.
const manners = {
  'no retry': { retries: 0 },
  'one key': {},
  // A well-meant interceptor: it runs again for every attempt.
  'a key an attempt': { freshKey: true },
  'a key and a cart an attempt': { freshKey: true, freshCart: true },
};
const { retries = 3, freshKey, freshCart } = manners[manner];

axiosRetry(client, { retries, retryDelay: axiosRetry.exponentialDelay });
client.interceptors.request.use((request) => {
  if (freshKey)
    request.headers.set('Idempotency-Key', randomUUID());
  if (freshCart) {
    request.data = JSON.stringify({ ...body, cart_id: randomUUID() });
    request.headers.set('Content-Type', 'application/json');
  }
  return request;
});

client.post('/v1/payments', body, { headers: { 'Idempotency-Key': randomUUID() } })
  .then((answer) => console.log(answer.status))
  .catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
