import { type AccountApi, AccountRegistry } from '../shared/accountRegistry';
import { CircuitBreaker } from './circuitBreaker';

/** Belongs to the module because all executions of a process meet the same outage. */
const breakers = new AccountRegistry<CircuitBreaker>();

/** The circuit breaker that all executions of this process share for a host, identity and API. */
export function circuitBreakerFor(account: AccountApi): CircuitBreaker {
	return breakers.get(account, () => new CircuitBreaker());
}
