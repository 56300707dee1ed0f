"""Batches of 25 readings or 100 ms, eight in flight; a message is acknowledged when all of its readings are stored.

Requires Python 3.9 or newer, paho-mqtt 2 or newer and boto3.
"""

import json
import os
import queue
import time
from concurrent.futures import ThreadPoolExecutor

import boto3
import paho.mqtt.client as mqtt
from botocore.config import Config

BATCH_SIZE = 25  # the maximum of BatchWriteItem
BATCH_SECONDS = 0.1
IN_FLIGHT = 8
FIRST_RETRY_SECONDS = 0.05
MAX_RETRY_SECONDS = 5

table_name = os.environ["TABLE_NAME"]
dynamodb = boto3.client(
    "dynamodb",
    endpoint_url=os.environ["DYNAMODB_ENDPOINT"],
    config=Config(max_pool_connections=IN_FLIGHT),
)
received = queue.Queue()


class Number(str):
    """The text of a JSON number: its digits reach the table unchanged, without a conversion to a float."""


def item_of(device, reading):
    item = {"device": {"S": device}}
    for name, value in reading.items():
        item[name] = {"N": value} if isinstance(value, Number) else {"S": value}
    return item


def on_message(client, _userdata, message):
    device = message.topic.split("/")[1]
    content = json.loads(message.payload, parse_int=Number, parse_float=Number)
    readings = content if isinstance(content, list) else [content]
    received.put((message.mid, message.qos, [item_of(device, reading) for reading in readings]))


def write_some(puts):
    """Returns the unwritten puts of a request."""
    answer = dynamodb.batch_write_item(RequestItems={table_name: puts})
    return answer["UnprocessedItems"].get(table_name, [])


def store(client, messages, items):
    puts = [{"PutRequest": {"Item": item}} for item in items]
    pause = FIRST_RETRY_SECONDS
    while puts:
        try:
            unwritten = write_some(puts[:BATCH_SIZE])
            puts = unwritten + puts[BATCH_SIZE:]
            if not unwritten:
                continue
        except Exception as error:  # retried until the table accepts the batch
            print(error, flush=True)
        time.sleep(pause)
        pause = min(2 * pause, MAX_RETRY_SECONDS)
    for mid, qos in messages:
        client.ack(mid, qos)


def next_batch():
    """Waits for a message, then for enough readings or for the end of the linger."""
    messages, items = [], {}
    deadline = None
    while len(items) < BATCH_SIZE:
        try:
            timeout = None if deadline is None else max(0, deadline - time.monotonic())
            mid, qos, more = received.get(timeout=timeout)
        except queue.Empty:
            break
        deadline = deadline or time.monotonic() + BATCH_SECONDS
        messages.append((mid, qos))
        for item in more:  # a key may occur once in a batch
            items[item["device"]["S"], item["ts"]["S"]] = item
    return messages, list(items.values())


def on_connect(client, *_):
    client.subscribe("engawa/+/readings", 1)


def run():
    client = mqtt.Client(
        mqtt.CallbackAPIVersion.VERSION2,
        client_id=os.environ["MQTT_CLIENT_ID"],
        clean_session=False,
        manual_ack=True,
    )
    client.on_connect = on_connect
    client.on_message = on_message
    host, port = os.environ["MQTT_URL"].removeprefix("mqtt://").split(":")
    client.connect(host, int(port))
    client.loop_start()
    with ThreadPoolExecutor(IN_FLIGHT) as writers:
        while True:
            messages, items = next_batch()
            writers.submit(store, client, messages, items)


run()
