import type { IDataObject } from 'n8n-workflow';

import type { Example } from '../../../scripts/docs/example.mts';
import { visitLink } from '../engine.mts';
import { TriggerHost } from '../poll.mts';
import { fileItem } from '../samples.mts';
import type { Service } from '../service.mts';
import { isObject, parseAs } from '../typed.mts';
import { exampleParameters, MORE } from './parameters.mts';
import { fillService } from './world.mts';

/** Runs the example of an operation against a service with few records. @throws if the operation has none, or fails */
export async function runExample(service: Service, operation: string): Promise<Example> {
	const parameters = exampleParameters(fillService(service.emulator))[operation];
	if (!parameters)
		throw new Error(`Add an example of ${operation} to test/kit/reference/parameters.mts`);
	const { input } = MORE[operation] ?? {};
	const items = input?.map((json) => ({ json })) ?? [fileItem];
	const { json, error, status, execution } = await service.run(operation, parameters, {
		items,
	});
	if (error) throw error;
	const output = status === 'waiting' ? await approve(service, execution) : json[0];
	return { parameters, ...MORE[operation], output: asPrinted(service, output) };
}

/** Runs *Fetch Test Event* of the trigger. */
export async function runTriggerExample(service: Service): Promise<Example> {
	const { pulse } = fillService(service.emulator);
	const parameters = { events: ['surveySubmitted'], watch: 'selected', campaignIds: [pulse] };
	const host = new TriggerHost({ credential: service.accessKey, parameters });
	const [output] = await host.sample();
	return { parameters, output: asPrinted(service, output) };
}

/** Approves what Send and Wait asks. Returns the item with which the workflow continues. */
async function approve(
	service: Service,
	execution: Parameters<typeof visitLink>[0]['execution'],
): Promise<IDataObject | undefined> {
	const sent = service.requests.at(-1)?.body;
	const link = new URL(isObject(sent) ? String(sent.actionLink) : '');
	const { output } = await visitLink({
		...{ credential: service.accessKey, execution, form: { decision: 'approve' } },
		query: Object.fromEntries(link.searchParams),
	});
	return output?.json;
}

/** Replaces what differs from run to run: the address of the emulator, and the time of n8n. */
function asPrinted({ emulator }: Service, output: IDataObject | undefined): IDataObject {
	const { host } = new URL(emulator.url);
	const text = JSON.stringify(output ?? {})
		.replaceAll(`http://${host}`, 'https://messages.example.com')
		.replace(/(?<="respondedAt":")[^"]+/, '2026-01-31T09:15:00.000Z');
	return parseAs<IDataObject>(text);
}
