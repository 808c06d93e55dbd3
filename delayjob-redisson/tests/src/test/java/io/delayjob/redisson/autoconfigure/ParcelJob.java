package io.delayjob.redisson.autoconfigure;

/** Keeps its parcels. */
class ParcelJob extends KeepingJob<Parcel> {

    ParcelJob(Inbox inbox) {
        super(inbox);
    }
}
