/** The contract's version, as the service description gives it. */
export const contractVersion = '1.0.0';

export const serviceName = 'Reported Inventory and Change-History Read Service';

export const serviceStatement =
  'This service is independent of the agency and is not endorsed by it. Reported quantities are observations, not purchase guarantees.';
